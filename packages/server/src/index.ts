/** Published entry of the server. */
export { compose, type Deployment } from './compose.ts'
export { type ProcessRole, readSchemaState, sqliteFile, sqliteFileState } from './compose-store.ts'
export { checkCertificate } from './checks/certificate.ts'
export { checkDataFolder } from './checks/data-folder.ts'
export { checkDatabase } from './checks/deployment.ts'
export { failed, type Finding, passed, warning } from './checks/finding.ts'
export { configurationPage } from './config/page.ts'
export { seesCertificates, settingConflicts, speaksTls, usesPostgres } from './config/conflicts.ts'
export { loadSettings, type LoadedSettings, type SettingInputs } from './config/load.ts'
export {
  flagOf,
  type Setting,
  type SettingKey,
  settingKeys,
  type Settings,
  type SettingSource,
  type SettingSources,
  settingsList,
  variableOf,
} from './config/settings.ts'
export { shownValue } from './config/shown-value.ts'
export { onFileChange } from './file-changes.ts'
export { releaseMemory, switchOffPretenuring, switchOnOptimizing } from './heap.ts'
export { defaultTenant, issuerFrom } from './issuer.ts'
export { listen, type RunningServer } from './listen.ts'
export type { LandingStep } from './pages/landing.ts'
export { localCaFile } from './tls/local-ca.ts'
export { smtpFrom } from './mail/from-settings.ts'
export { masterKeyFile } from './secrets/master-key.ts'
export { missingDatabaseProblem } from './secrets/sealed-marker.ts'
export { withFileLock } from './secrets/file-lock.ts'
export { createPrivateFile, makePrivateFolder, replacePrivateFile } from './secrets/private-file.ts'
export { type Certificate, certificateFiles, loadCertificate, tlsOptions } from './tls/certificate.ts'
export { issueCertificate, type CertificateAndKey } from './tls/issue-certificate.ts'
export { serverMetrics } from './metrics/server-metrics.ts'
export { judgeTargets, operatingTargets, type TargetState } from './metrics/targets.ts'
export { StartError } from './start-error.ts'
