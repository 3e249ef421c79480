import { Effect } from 'effect';
import { label, managedBy } from '../../../../crds/names.ts';
import { pgOperatorChart } from '../../../../rules/database/charts.ts';
import type { DatabaseImages } from '../../../../rules/database/images.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { Cluster } from '../../../services/cluster/cluster.ts';
import { helmCharts } from '../../../owned/addonKinds.ts';
import { lacksOperator } from '../observe/runs.ts';

/** Installs the Postgres operator if missing; it serves every database and is never removed. */
export const installOperator = Effect.fnUntraced(function* (reader: CacheReader, images: DatabaseImages) {
  if (!lacksOperator(reader)) return;
  const chart = pgOperatorChart(images);
  const labelled = { ...chart, metadata: { ...chart.metadata, labels: { [label.managedBy]: managedBy } } };
  yield* (yield* Cluster).apply(helmCharts, labelled, 'nothing').pipe(Effect.catchTag('Conflict', () => Effect.void));
});
