/** People as rows hold them. */
import { type AdministratorKind, isAdministratorKind } from '@grantor/protocol/people'
import type { TenantId } from '@grantor/protocol/types'
import type { UserRow } from '../../contract/people/users.ts'
import { asText, instant, json, maybeInstant, maybeJson, maybeText, number, text } from '../row.ts'
import type { Row } from '../verb.ts'
import { membershipsIn } from './held-roles.ts'

export const userOf = (row: Row): UserRow => ({
  tenant: text(row, 'tenant') as TenantId,
  id: text(row, 'id'),
  username: text(row, 'username'),
  claims: json(row, 'claims'),
  createdAt: instant(row, 'created_at'),
  disabledAt: maybeInstant(row, 'disabled_at'),
  administrator: administratorIn(row),
  mustChangePassword: number(row, 'must_change_password') === 1,
  ...termsIn(row),
  ...deletionIn(row),
  passwordHash: maybeText(row, 'password_hash'),
  passwordChangedAt: maybeInstant(row, 'password_changed_at'),
  version: number(row, 'version'),
  ...provisionedIn(row),
  ...changeIn(row),
  ...membershipsIn(row),
  ...attributesIn(row),
})

function termsIn(row: Row): Pick<UserRow, 'terms'> {
  const version = maybeText(row, 'terms_version')
  return version === null ? {} : { terms: { version, at: instant(row, 'terms_accepted_at') } }
}

function deletionIn(row: Row): Pick<UserRow, 'deletionDueAt'> {
  const deletionDueAt = maybeInstant(row, 'deletion_due_at')
  return deletionDueAt === null ? {} : { deletionDueAt }
}

/** What is kept for whoever provisions them (SCIM). */
function provisionedIn(row: Row): Pick<UserRow, 'provisioned'> {
  if (row['provisioned'] == null) return {}
  return { provisioned: { externalId: maybeText(row, 'external_id'), attributes: json(row, 'provisioned') } }
}

export const provisionedText = ({ provisioned }: Pick<UserRow, 'provisioned'>): string | null =>
  provisioned === undefined ? null : asText(provisioned.attributes)

function changeIn(row: Row): Pick<UserRow, 'changedAt'> {
  const changedAt = maybeInstant(row, 'changed_at')
  return changedAt === null ? {} : { changedAt }
}

function attributesIn(row: Row): Pick<UserRow, 'attributes'> {
  const attributes = maybeJson(row, 'attributes')
  return attributes === null ? {} : { attributes }
}

/** A kind that only a later version knows is none here: it may hold more than this one could tell. */
function administratorIn(row: Row): AdministratorKind | null {
  const kind = maybeText(row, 'administrator')
  return isAdministratorKind(kind) ? kind : null
}
