export const pageHelp = 'Servers that belong to no project. Projects make logical databases on them.';
export const noServerText = 'One server for the small databases of many projects saves resources.';
