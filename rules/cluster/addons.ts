import type { KubeObject } from '../../crds/kind.ts';
import { serverlessNamespace, systemNamespace } from '../../crds/names.ts';
import { chartFields } from '../database/images.ts';

/** The sources of what a cluster installs; each can be set by the environment. */
export interface ClusterSources {
  readonly acmeDirectory: string;
  readonly storageChart: string;
  readonly serverlessChart: string;
  readonly serverlessHttpChart: string;
}

export const clusterSources: ClusterSources = {
  acmeDirectory: 'https://acme-v02.api.letsencrypt.org/directory',
  storageChart: 'https://charts.longhorn.io/longhorn:1.9.1',
  serverlessChart: 'https://kedacore.github.io/charts/keda:2.18.0',
  serverlessHttpChart: 'https://kedacore.github.io/charts/keda-add-ons-http:0.14.0',
};

export const storageChartName = 'core-storage';
export const serverlessChartName = 'core-serverless';
export const serverlessHttpChartName = `${serverlessChartName}-http`;
const storageNamespace = 'core-storage';

interface Chart extends KubeObject {
  readonly spec: object;
}

const chart = (name: string, source: string, targetNamespace: string): Chart => ({
  apiVersion: 'helm.cattle.io/v1',
  kind: 'HelmChart',
  metadata: { name, namespace: systemNamespace },
  spec: {
    ...chartFields(source),
    // The default would repeat a failing installation a thousand times.
    backOffLimit: 3,
    failurePolicy: 'abort',
    targetNamespace,
    createNamespace: true,
  },
});

export const storageChart = ({ storageChart: source }: ClusterSources): Chart =>
  chart(storageChartName, source, storageNamespace);

/** The charts of the serverless add-on: the scaler, and the proxy that receives requests meanwhile. */
export const serverlessCharts = ({ serverlessChart, serverlessHttpChart }: ClusterSources): readonly Chart[] => [
  chart(serverlessChartName, serverlessChart, serverlessNamespace),
  chart(serverlessHttpChartName, serverlessHttpChart, serverlessNamespace),
];
