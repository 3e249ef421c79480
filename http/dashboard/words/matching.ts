import type { Summary } from '../../api.ts';

/** The services in which every word of a filter occurs: in name, state, message, project or environment. */
export function matching(
  services: readonly Summary[],
  filter: string,
  projectWord: (name: string) => string = (name) => name,
): readonly Summary[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const textOf = ({ name, displayName, state, message, project, environment }: Summary) =>
    [name, displayName, state, message, project, projectWord(project), environment].join(' ').toLowerCase();
  return services.filter((service) => words.every((word) => textOf(service).includes(word)));
}
