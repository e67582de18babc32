{{- define "stackgate.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "stackgate.labels" -}}
app.kubernetes.io/name: stackgate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
