{{- define "core.namespace" -}}
{{- if ne .Release.Namespace "core-system" }}
{{- fail "Core runs in the namespace core-system: add --namespace core-system --create-namespace" }}
{{- end }}
{{- end }}

{{- define "core.labels" -}}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "core.release" -}}
core.platform/release: v{{ .Chart.AppVersion }}
{{- end }}

{{- define "core.keep" -}}
{{- if .Values.crds.keep -}}
helm.sh/resource-policy: keep
{{- end }}
{{- end }}

{{- define "core.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{- define "core.deploymentFields" -}}
{{- if not (kindIs "invalid" .Values.replicas) -}}
replicas: {{ .Values.replicas }}
{{- end }}
{{- end }}

{{- define "core.podLabels" -}}
{{- with .Values.podLabels }}{{ toYaml . }}{{ end }}
{{- end }}

{{- define "core.podMetadata" -}}
{{- with .Values.podAnnotations -}}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* The fields of the pod that have a value. */}}
{{- define "core.podFields" -}}
{{- $fields := dict }}
{{- range $name := list "imagePullSecrets" "nodeSelector" "tolerations" "affinity" "topologySpreadConstraints" "priorityClassName" }}
{{- with index $.Values $name }}{{ $_ := set $fields $name . }}{{ end }}
{{- end }}
{{- with $fields }}{{ toYaml . }}{{ end }}
{{- end }}

{{- define "core.containerFields" -}}
image: {{ include "core.image" . | quote }}
{{- with .Values.image.pullPolicy }}
imagePullPolicy: {{ . }}
{{- end }}
{{- with .Values.resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* More variables; of two with one name the later one counts. */}}
{{- define "core.env" -}}
{{- $env := list }}
{{- with .Values.adminPasswordSecret }}
{{- $from := dict "secretKeyRef" (dict "name" . "key" "password") }}
{{- $env = append $env (dict "name" "CORE_ADMIN_PASSWORD" "valueFrom" $from) }}
{{- end }}
{{- if .Values.metrics.certificateSecret }}
{{- $env = append $env (dict "name" "CORE_METRICS_CERT" "value" "/etc/core/metrics/tls.crt") }}
{{- $env = append $env (dict "name" "CORE_METRICS_KEY" "value" "/etc/core/metrics/tls.key") }}
{{- end }}
{{- with .Values.metrics.prometheusURL }}
{{- $env = append $env (dict "name" "CORE_PROMETHEUS_URL" "value" .) }}
{{- end }}
{{- with concat $env .Values.env }}{{ toYaml . }}{{ end }}
{{- end }}

{{- define "core.volumeMounts" -}}
{{- if .Values.metrics.certificateSecret -}}
- name: metrics-certificate
  mountPath: /etc/core/metrics
  readOnly: true
{{- end }}
{{- end }}

{{- define "core.volumes" -}}
{{- with .Values.metrics.certificateSecret -}}
- name: metrics-certificate
  secret:
    secretName: {{ . }}
{{- end }}
{{- end }}

{{- define "core.metricsNamespaces" -}}
{{ toYaml .Values.metrics.namespaces }}
{{- end }}

{{- define "core.metricsreaders" -}}
{{- with .Values.metrics.readers -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: core-metrics-reader
  labels:
    {{- include "core.labels" $ | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: core-metrics-reader
subjects:
  {{- range . }}
  - kind: ServiceAccount
    name: {{ .name }}
    namespace: {{ .namespace }}
  {{- end }}
{{- end }}
{{- end }}

{{- /* The port `https` is that of the metrics alone. */}}
{{- define "core.servicemonitor" -}}
{{- with .Values.metrics.serviceMonitor }}
{{- if .enabled -}}
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  name: core
  namespace: core-system
  labels:
    {{- include "core.labels" $ | nindent 4 }}
    {{- with .labels }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  selector:
    matchLabels:
      {{- include "core.labels" $ | nindent 6 }}
  endpoints:
    - port: https
      scheme: https
      {{- with .interval }}
      interval: {{ . }}
      {{- end }}
      bearerTokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token
      tlsConfig:
        {{- if $.Values.metrics.certificateSecret }}
        serverName: core-core-metrics.core-system.svc
        ca:
          secret:
            name: {{ $.Values.metrics.certificateSecret }}
            key: ca.crt
        {{- else }}
        insecureSkipVerify: true
        {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- /*
A first installation makes the platform in a hook, because its kind is unknown before. A later one takes it over by the
labels and annotations of Helm.
*/}}
{{- define "core.platform" -}}
{{- with .Values.platform -}}
apiVersion: core.platform/v1alpha1
kind: CorePlatformConfig
metadata:
  name: platform
  namespace: core-system
  labels:
    {{- include "core.labels" $ | nindent 4 }}
  annotations:
    meta.helm.sh/release-name: {{ $.Release.Name }}
    meta.helm.sh/release-namespace: {{ $.Release.Namespace }}
    {{- with include "core.keep" $ }}{{ . | nindent 4 }}{{ end }}
    {{- if not ($.Capabilities.APIVersions.Has "core.platform/v1alpha1/CorePlatformConfig") }}
    helm.sh/hook: post-install
    {{- end }}
spec:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
