export { isPlatformDeleting, ownNamespaceWatch } from './observe/platformDeletion.ts';
