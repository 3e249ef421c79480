export const pageHelp = 'Every lifecycle of the platform, with the number of instances in each state.';
