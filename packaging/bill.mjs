// npm's bill of materials, narrowed to what an image or a release holds.

/**
 * The bill without what is not in it, and without what differs from one making to the next.
 * @param {object} sbom as `npm sbom` writes it
 * @param {readonly { name: string, version: string }[]} packages
 */
export function billOf(sbom, packages) {
  const held = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const { serialNumber: _serial, metadata, components, dependencies, ...rest } = sbom;
  const { timestamp: _moment, component, ...about } = metadata;
  const itself = component['bom-ref'];
  return {
    ...rest,
    metadata: { ...about, component: { ...component, type: 'application', name: 'core-platform' } },
    components: components.filter((one) => held.has(one['bom-ref'])),
    dependencies: dependencies
      .filter(({ ref }) => ref === itself || held.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => held.has(one)) })),
  };
}
