/** A person's profile, which they can change. */
import type { Profile, ProfileField } from '@grantor/authority'
import { field } from '../components/field.ts'
import { type FormTarget, button, form } from '../components/form.ts'
import { notice } from '../components/notice.ts'
import { type Html, html, nothing } from '../html.ts'
import type { PageContext } from '../layout.ts'
import { type AccountPageContext, accountLayout } from './layout.ts'

export interface ProfileData {
  readonly form: FormTarget
  readonly profile: Profile
  /** The invalid field, or `outrun`: the account was changed at the same time. */
  readonly wrong: ProfileField | 'outrun' | null
}

const autocompletes: Readonly<Record<ProfileField, string>> = {
  name: 'name',
  given_name: 'given-name',
  family_name: 'family-name',
  locale: 'language',
  zoneinfo: 'off',
  picture: 'photo',
}

const labelsIn = ({ language: { messages } }: PageContext): Readonly<Record<ProfileField, string>> => ({
  name: messages.newAccount.name,
  given_name: messages.profile.given,
  family_name: messages.profile.family,
  locale: messages.profile.locale,
  zoneinfo: messages.profile.zone,
  picture: messages.profile.picture,
})

/** The form sends each claim by its name. */
export function profilePage(context: AccountPageContext, { form: target, profile, wrong }: ProfileData): Html {
  const words = context.language.messages.profile
  const labels = labelsIn(context)
  const hints: Partial<Record<ProfileField, string>> = {
    locale: words.suchAs('pt-BR'),
    zoneinfo: words.suchAs('Europe/Berlin'),
    picture: words.pictureHint,
  }
  const names = Object.keys(labels) as ProfileField[]
  return accountLayout(context, {
    section: 'profile',
    failed: wrong !== null,
    lead: words.lead,
    content: html`${wrong === 'outrun' ? notice('warning', context.language.messages.methods.failed.outrun) : nothing}
      <div class="tile">
        ${form(target, [
          ...names.map((name) =>
            field({
              name,
              label: labels[name],
              type: 'text',
              autocomplete: autocompletes[name],
              value: profile[name],
              optional: true,
              error: wrong === name ? words.invalid : null,
              focus: wrong === name,
              ...(hints[name] === undefined ? {} : { hint: hints[name] }),
            }),
          ),
          button({ name: 'save', text: words.submit, look: 'primary' }),
        ])}
      </div>`,
  })
}
