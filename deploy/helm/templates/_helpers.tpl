{{- define "stackgate.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "stackgate.labels" -}}
app.kubernetes.io/name: stackgate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "stackgate.kind" -}}
{{ ternary "StatefulSet" "Deployment" .Values.persistence.enabled }}
{{- end }}
