/** The sections of the list of settings, for page and console; each ends before the first setting of the next. */
import { type SettingKey, settingKeys } from './settings.ts'

export interface SettingSection {
  readonly id: string
  /** The first setting of it, in the order of the list. */
  readonly from: SettingKey
  readonly title: Readonly<Record<'en' | 'de', string>>
}

export const settingSections: readonly SettingSection[] = [
  { id: 'server', from: 'config', title: { en: 'Server', de: 'Server' } },
  { id: 'database', from: 'databaseUrl', title: { en: 'Database and master key', de: 'Datenbank und Hauptschlüssel' } },
  { id: 'tls', from: 'tlsMode', title: { en: 'TLS, proxies and certificates', de: 'TLS, Proxys und Zertifikate' } },
  { id: 'load', from: 'connectionsMost', title: { en: 'Load', de: 'Last' } },
  { id: 'watching', from: 'managementPort', title: { en: 'Health, log and traces', de: 'Zustand, Log und Traces' } },
  { id: 'seed', from: 'seed', title: { en: 'Seed and demo', de: 'Seed und Demo' } },
  { id: 'protocol', from: 'accessTokenLife', title: { en: 'Lifetimes and protocol', de: 'Fristen und Protokoll' } },
  { id: 'keys', from: 'keyRotation', title: { en: 'Keys and events', de: 'Schlüssel und Ereignisse' } },
  { id: 'outbound', from: 'outboundAllow', title: { en: 'Outbound requests', de: 'Ausgehende Anfragen' } },
  {
    id: 'registration',
    from: 'registrationMode',
    title: { en: 'Registration of clients', de: 'Registrierung von Clients' },
  },
  { id: 'limits', from: 'limitRegistration', title: { en: 'Limits', de: 'Grenzen' } },
  { id: 'passwords', from: 'passwordLength', title: { en: 'Passwords', de: 'Passwörter' } },
  { id: 'sign-up', from: 'signUpHook', title: { en: 'Sign-up', de: 'Registrierung von Personen' } },
  { id: 'mail', from: 'mailSmtp', title: { en: 'Mail', de: 'E-Mail' } },
  { id: 'theme', from: 'themeName', title: { en: 'Look of the pages', de: 'Aussehen der Seiten' } },
  { id: 'administrator', from: 'adminPassword', title: { en: 'First administrator', de: 'Erste Verwaltung' } },
]

/** Every section with its settings, in the order of the list. */
export const settingsBySection: readonly (SettingSection & { readonly keys: readonly SettingKey[] })[] =
  settingSections.map((section, at) => {
    const next = settingSections[at + 1]
    const end = next === undefined ? settingKeys.length : settingKeys.indexOf(next.from)
    return { ...section, keys: settingKeys.slice(settingKeys.indexOf(section.from), end) }
  })
