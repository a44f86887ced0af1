{{- define "cuebook.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end }}

{{- define "cuebook.pod" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "cuebook.container" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{- define "cuebook.records" -}}
{{- if not .Values.database.existingSecret }}{{ fail "servers and workers need database.existingSecret: a Secret with url and project-key" }}{{ end -}}
- name: CUEBOOK_DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ .Values.database.existingSecret }}
      key: url
- name: CUEBOOK_PROJECT_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .Values.database.existingSecret }}
      key: project-key
# A folder that Cuebook makes for itself: a volume is open to others, and a home that is open is refused.
- name: CUEBOOK_HOME
  value: /state/home
- name: HOME
  value: /state
{{- if or .Values.workspaces.url .Values.workspaces.existingClaim }}
- name: CUEBOOK_WORKSPACES
  value: {{ default "/workspaces/work.git" .Values.workspaces.url }}
{{- end }}
{{- end }}

{{- define "cuebook.first" -}}
{{- if and .Values.workspaces.existingClaim (not .Values.workspaces.url) }}
# The repository in which the work of teams is kept. Where it is there already, nothing changes.
initContainers:
  - name: workspaces
    image: {{ include "cuebook.image" . }}
    imagePullPolicy: {{ .Values.image.pullPolicy }}
    command: [git, init, --quiet, --bare, /workspaces/work.git]
    volumeMounts:
      - name: workspaces
        mountPath: /workspaces
    {{- include "cuebook.container" . | nindent 4 }}
{{- end }}
{{- end }}

{{- define "cuebook.mounts" -}}
- name: project
  mountPath: /project
- name: state
  mountPath: /state
- name: tmp
  mountPath: /tmp
{{- if .Values.workspaces.existingClaim }}
- name: workspaces
  mountPath: /workspaces
{{- end }}
{{- end }}

{{- define "cuebook.volumes" -}}
- name: project
  {{- if .Values.project.existingClaim }}
  persistentVolumeClaim:
    claimName: {{ .Values.project.existingClaim }}
  {{- else }}
  emptyDir: {}
  {{- end }}
- name: state
  emptyDir: {}
- name: tmp
  emptyDir: {}
{{- with .Values.workspaces.existingClaim }}
- name: workspaces
  persistentVolumeClaim:
    claimName: {{ . }}
{{- end }}
{{- end }}
