// What `kubectl apply -k crds/install` installs, as files that need no checkout.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMap, parse, parseAllDocuments } from 'yaml';

const isDefinition = (document) => document.get('kind') === 'CustomResourceDefinition';

/** The documents of a kustomization, in its order. */
function documentsOf(file) {
  const { resources } = parse(readFileSync(file, 'utf8'));
  return resources.flatMap((name) => {
    const path = join(dirname(file), name);
    return name.endsWith('.yaml')
      ? parseAllDocuments(readFileSync(path, 'utf8')).filter(({ contents }) => isMap(contents))
      : documentsOf(join(path, 'kustomization.yaml'));
  });
}

/** The documents as one text, in which nothing but a line between two of them begins one. */
function text(documents) {
  for (const { directives } of documents) directives.docStart = null;
  return documents.map((one) => one.toString({ lineWidth: 0 }).trim()).join('\n---\n');
}

/** A definition that names its release: a program of another one says so. */
function ofRelease(document, tag) {
  document.setIn(['metadata', 'annotations', 'core.platform/release'], tag);
  return document;
}

function withImage(document, version) {
  const containers = document.getIn(['spec', 'template', 'spec', 'containers']);
  for (const container of containers?.items ?? []) {
    const [name] = container.get('image').split(':');
    container.set('image', `${name}:${version}`);
    container.get('image', true).comment = undefined;
  }
  return document;
}

/**
 * The definitions alone, and the whole installation with them.
 * @param {{ root: string, tag: string }} given the checkout, and a tag such as v1.2.0
 */
export function installedOf({ root, tag }) {
  const documents = documentsOf(join(root, 'crds/install/kustomization.yaml'));
  const definitions = documents.filter(isDefinition).map((one) => ofRelease(one, tag));
  const others = documents.filter((one) => !isDefinition(one)).map((one) => withImage(one, tag.slice(1)));
  // Objects of a namespace can only follow it.
  const all = [...others.slice(0, 1), ...definitions, ...others.slice(1)];
  return { definitions: `${text(definitions)}\n`, all: `${text(all)}\n` };
}
