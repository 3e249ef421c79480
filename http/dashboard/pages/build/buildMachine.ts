/** Name of the machine every build follows. */
export const buildMachine = 'build';
