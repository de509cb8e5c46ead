{{- define "rollcall.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Called with (dict "root" $ "part" "agent"). */}}
{{- define "rollcall.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "rollcall.labels" -}}
{{ include "rollcall.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{/* The image of a program; called with (dict "root" $ "program" "agent"). */}}
{{- define "rollcall.image" -}}
{{ .root.Values.image.repository }}-{{ .program }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{/* The name of gateway pod number "at"; called with (dict "root" $ "at" 0). */}}
{{- define "rollcall.gatewayHost" -}}
{{- $name := include "rollcall.name" .root -}}
{{ $name }}-gateway-{{ .at }}.{{ $name }}-gateway.{{ .root.Release.Namespace }}.svc.{{ .root.Values.clusterDomain }}
{{- end }}

{{/* A JSON list of the gateways of the agents. */}}
{{- define "rollcall.gateways" -}}
{{- $root := . -}}
{{- $gateways := .Values.agent.gateways -}}
{{- if and (not $gateways) (not .Values.gateway.enabled) }}{{ fail "agent.gateways is required where gateway.enabled is false" }}{{ end }}
{{- if not $gateways }}
{{- range $at := until (int .Values.gateway.replicas) }}
{{- $gateways = append $gateways (printf "%s:7450" (include "rollcall.gatewayHost" (dict "root" $root "at" $at))) }}
{{- end }}
{{- end }}
{{- toJson $gateways }}
{{- end }}

{{/* The client certificate of Prometheus: metrics are only for certificates of administrators and monitors. */}}
{{- define "rollcall.scrapeTls" -}}
{{- $secret := .Values.monitoring.tls.secretName -}}
ca: {secret: {name: {{ quote $secret }}, key: ca.crt}}
cert: {secret: {name: {{ quote $secret }}, key: tls.crt}}
keySecret: {name: {{ quote $secret }}, key: tls.key}
{{- end }}

{{/* A value of agent.yaml or gateway.yaml. Their switches are "yes" and "no", which Helm reads as booleans. */}}
{{- define "rollcall.yaml" -}}
{{- if kindIs "bool" . }}{{ ternary "yes" "no" . }}{{ else if kindIs "float64" . }}{{ int64 . }}{{ else }}{{ toJson . }}{{ end }}
{{- end }}
