/** What people would see with a branding that is being typed: sign-in, consent, device and a mail, in light or in dark. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type CSSProperties, type ReactNode, useState } from 'react'
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { branding } from '../../messages/branding.ts'
import { Card, Notice } from '../../ui/content.tsx'
import { given, SelectField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { firstTenant, type Tenant } from '../tenants/list.tsx'
import { type BrandingFields, colourOf, wholeColour } from './branding-fields.ts'
import { LogoPicture } from './logo-picture.tsx'

interface ShownColours {
  readonly accent: string
  readonly on_accent: string
  readonly page: string
  readonly surface: string
  readonly ink: string
  readonly muted: string
}
type Shown = Readonly<Record<'light' | 'dark', ShownColours>>

function useColours(id: string, { accent, background }: BrandingFields): Shown | undefined {
  const { api } = useConsole()
  const body = given({ accent: colourOf(accent), background: colourOf(background) })
  const { data } = useQuery({
    queryKey: ['preview-branding', id, body],
    queryFn: () => answered(api.POST('/v1/tenants/{id}/preview-branding', { params: { path: { id } }, body })),
    placeholderData: keepPreviousData,
  })
  return data as Shown | undefined
}

export function Previews({ tenant, fields }: { readonly tenant: Tenant; readonly fields: BrandingFields }) {
  const say = useSay()
  const [mode, setMode] = useState<'light' | 'dark'>('light')
  const colours = useColours(tenant.id, fields)?.[mode]
  const typed = [
    [colourOf(fields.accent), colours?.accent],
    [colourOf(fields.background), colours?.page],
  ] as const
  const isMoved = typed.some(([wanted, shown]) => wanted !== undefined && wholeColour(wanted) !== (shown ?? wanted))
  const name = fields.name.trim() || (tenant.id === firstTenant ? 'Grantor' : tenant.name)
  const brand = { name, logo: fields.logo }
  return (
    <Card title={say(branding.preview)} text={say(branding.previewText)}>
      <div className="stack">
        <div className="brand-fields">
          <SelectField
            label={say(branding.shownIn)}
            value={mode}
            onChange={(value) => setMode(value === 'dark' ? 'dark' : 'light')}
            options={[
              { value: 'light', label: say(branding.light) },
              { value: 'dark', label: say(branding.dark) },
            ]}
          />
        </div>
        {isMoved ? <Notice>{say(branding.moved)}</Notice> : null}
        {colours === undefined ? null : (
          <div className="brand-previews" style={propertiesOf(colours)}>
            <Sample title={say(branding.signIn)} brand={brand}>
              <b>{say(branding.signInTitle)}</b>
              <span className="brand-input">{say(branding.username)}</span>
              <span className="brand-input">{say(branding.password)}</span>
              <span className="brand-link">{say(branding.forgot)}</span>
              <span className="brand-button">{say(branding.signInTitle)}</span>
            </Sample>
            <Sample title={say(branding.consent)} brand={brand}>
              <b>{say(branding.consentTitle)}</b>
              <span className="brand-muted">{say(branding.scopeOne)}</span>
              <span className="brand-muted">{say(branding.scopeTwo)}</span>
              <span className="brand-button">{say(branding.allow)}</span>
              <span className="brand-link">{say(branding.deny)}</span>
            </Sample>
            <Sample title={say(branding.device)} brand={brand}>
              <b>{say(branding.deviceTitle)}</b>
              <span className="brand-muted">{say(branding.deviceText)}</span>
              <span className="brand-input mono">WDJB-MJHT</span>
              <span className="brand-button">{say(branding.next)}</span>
            </Sample>
            <Sample title={say(branding.mail)} brand={{ name, logo: '' }}>
              <b>{say(branding.mailTitle)}</b>
              <span className="brand-muted">{say(branding.mailText)}</span>
              <span className="brand-button">{say(branding.mailTitle)}</span>
            </Sample>
          </div>
        )}
      </div>
    </Card>
  )
}

interface SampleProps {
  readonly title: string
  readonly brand: { readonly name: string; readonly logo: string }
  readonly children: ReactNode
}

/** A picture of a page: nothing in it can be pressed, and it is read by its title. */
const Sample = ({ title, brand, children }: SampleProps) => (
  <figure>
    <figcaption>{title}</figcaption>
    <div className="brand-page" aria-hidden="true">
      <div className="brand-head">
        <LogoPicture logo={brand.logo} />
        <span dir="auto">{brand.name}</span>
      </div>
      <div className="brand-card">{children}</div>
    </div>
  </figure>
)

const propertiesOf = ({ accent, on_accent: onAccent, page, surface, ink, muted }: ShownColours): CSSProperties =>
  ({
    '--brand-accent': accent,
    '--brand-on-accent': onAccent,
    '--brand-page': page,
    '--brand-surface': surface,
    '--brand-ink': ink,
    '--brand-muted': muted,
  }) as CSSProperties
