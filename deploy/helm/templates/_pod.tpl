{{- define "veridict.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end -}}

{{- define "veridict.account" -}}
{{- .Values.serviceAccount.name | default .Release.Name -}}
{{- end -}}

{{- define "veridict.selector" -}}
app.kubernetes.io/name: veridict
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "veridict.labels" -}}
{{ include "veridict.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* What all pods have in common, down to the list of containers. */}}
{{- define "veridict.pod" -}}
{{- with .root.Values -}}
{{- /* The job runs before an installation makes the account, and needs no rights of a cloud. */}}
{{- if or .serviceAccount.name (ne $.component "migrate") }}
serviceAccountName: {{ include "veridict.account" $.root }}
{{- end }}
automountServiceAccountToken: false
{{- with .image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* What all containers have in common. */}}
{{- define "veridict.container" -}}
image: {{ include "veridict.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
envFrom:
  - configMapRef: { name: {{ get . "config" | default .root.Release.Name }} }
  - secretRef: { name: {{ .root.Values.secret }} }
{{- with .root.Values.certificates }}
{{- if .configMap }}
env:
  - { name: NODE_EXTRA_CA_CERTS, value: /etc/veridict/{{ .key }} }
{{- end }}
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{- define "veridict.mounts" -}}
- { name: data, mountPath: /var/lib/veridict }
- { name: tmp, mountPath: /tmp }
{{- if .root.Values.certificates.configMap }}
- { name: certificates, mountPath: /etc/veridict, readOnly: true }
{{- end }}
{{- end -}}

{{/* Nothing in them is needed after a restart: files are in STORAGE_URL, e-mails at SMTP_URL. */}}
{{- define "veridict.volumes" -}}
- name: data
  emptyDir: { sizeLimit: 4Gi }
- name: tmp
  emptyDir: { sizeLimit: 1Gi }
{{- with .root.Values.certificates.configMap }}
- name: certificates
  configMap: { name: {{ . }} }
{{- end }}
{{- end -}}

{{- define "veridict.settings" -}}
{{- range $name, $value := .Values.settings }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end -}}
