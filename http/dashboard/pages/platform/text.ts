export const sharedKernel = "Containers are root's, on the kernel of this machine.";
export const singleServers =
  'StatefulSets and operators are not run: a database is a single server, without failover and without continuous archiving.';
export const oneNode = 'There is no second node to go to when this one is down.';
export const addServerHelp = 'A server joins over SSH; an existing node of the same name is used as it is.';
export const tagsHelp = 'Applies at once; running pods stay where they are.';
export const noServerText = 'The cluster has no node. Add a server; it joins over SSH.';
export const unmanagedNode = 'Not managed: the server has no entry, so its region and tags cannot be changed.';
export const disconnectWarning =
  'Existing records stay and are no longer updated; the tunnel of the platform is closed, and services lose their default hosts.';
export const domainHelp = 'Applies at once and is verified.';
export const noProjectText = 'A project shows here what it uses.';
