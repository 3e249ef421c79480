"""Lists the nodes, then follows Deployments until one is deleted: a line of JSON for each thing it was told."""

import json
import sys

from kubernetes import client, config, watch


def tell(**found):
    print(json.dumps(found), flush=True)


_, kubeconfig, namespace = sys.argv
config.load_kube_config(kubeconfig)

for node in client.CoreV1Api().list_node().items:
    tell(node=node.metadata.name, system=node.status.node_info.operating_system)

changes = watch.Watch()
for change in changes.stream(client.AppsV1Api().list_namespaced_deployment, namespace):
    deployment = change["object"]
    tell(type=change["type"], name=deployment.metadata.name, available=deployment.status.available_replicas)
    if change["type"] == "DELETED":
        changes.stop()
