{{- define "grantor.labels" -}}
app.kubernetes.io/name: grantor
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
