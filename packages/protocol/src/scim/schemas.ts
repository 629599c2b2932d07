/** The supported schemas: User, its enterprise extension, and Group (RFC 7643 §4.1 to §4.3). */
import { attribute, type AttributeSet, type ResourceSchema, string, values } from './attribute.ts'

export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const name = attribute('name', 'complex', 'The parts of the name', {
  subAttributes: [
    string('formatted', 'The whole name as it is written'),
    string('familyName', 'The family name'),
    string('givenName', 'The given name'),
    string('middleName', 'The middle name'),
    string('honorificPrefix', 'A title before the name'),
    string('honorificSuffix', 'What stands behind the name'),
  ],
})

const addresses = attribute('addresses', 'complex', 'Postal addresses', {
  multiValued: true,
  subAttributes: [
    string('formatted', 'The whole address as it is written'),
    string('streetAddress', 'Street and number'),
    string('locality', 'The town'),
    string('region', 'The state or region'),
    string('postalCode', 'The postal code'),
    string('country', 'The country'),
    string('type', 'What it is for', { canonicalValues: ['work', 'home', 'other'] }),
    attribute('primary', 'boolean', 'Whether it is the one that counts'),
  ],
})

/** RFC 7643 §4.1.2: returned with a person, but changed at the group. */
const groups = attribute('groups', 'complex', 'The groups that they are in', {
  multiValued: true,
  mutability: 'readOnly',
  subAttributes: [
    string('value', 'The id of the group', { caseExact: true, mutability: 'readOnly' }),
    attribute('$ref', 'reference', 'Its address', {
      caseExact: true,
      mutability: 'readOnly',
      referenceTypes: ['Group'],
    }),
    string('display', 'Its name', { mutability: 'readOnly' }),
    string('type', 'How they are in it', { mutability: 'readOnly', canonicalValues: ['direct'] }),
  ],
})

const user: AttributeSet = {
  id: userUrn,
  name: 'User',
  description: 'A person who signs in',
  attributes: [
    string('userName', 'The name they sign in with', { required: true, uniqueness: 'server' }),
    name,
    string('displayName', 'The name that others see'),
    string('nickName', 'What they are called'),
    attribute('profileUrl', 'reference', 'A page about them', { referenceTypes: ['external'] }),
    string('title', 'Their title at work'),
    string('userType', 'What they are to the organisation'),
    string('preferredLanguage', 'The language they prefer'),
    string('locale', 'How numbers and times are written for them'),
    string('timezone', 'Their time zone, by its name in the IANA database'),
    attribute('active', 'boolean', 'Whether they may sign in; false ends what they are signed in to'),
    string('password', 'Set, and never shown', { mutability: 'writeOnly', returned: 'never', caseExact: true }),
    values('emails', 'Mail addresses', ['work', 'home', 'other']),
    values('phoneNumbers', 'Telephone numbers', ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
    values('photos', 'Pictures', ['photo', 'thumbnail']),
    values('ims', 'Names at messaging services', []),
    addresses,
    groups,
  ],
}

const enterprise: AttributeSet = {
  id: enterpriseUrn,
  name: 'EnterpriseUser',
  description: 'What an organisation keeps of its people',
  attributes: [
    string('employeeNumber', 'Their number at the organisation'),
    string('costCenter', 'Their cost centre'),
    string('organization', 'Their organisation'),
    string('division', 'Their division'),
    string('department', 'Their department'),
    attribute('manager', 'complex', 'To whom they report', {
      subAttributes: [
        string('value', 'The id of the manager', { caseExact: true }),
        attribute('$ref', 'reference', 'Their address', { caseExact: true, referenceTypes: ['User'] }),
        string('displayName', 'Their name'),
      ],
    }),
  ],
}

export const userSchema: ResourceSchema = { core: user, extensions: [enterprise], endpoint: '/Users' }

/** Members that one request can add or remove; larger groups are filled in steps. */
export const mostMembersOfRequest = 10_000

const group: AttributeSet = {
  id: groupUrn,
  name: 'Group',
  description: 'People who belong together, and the roles they have by it',
  attributes: [
    string('displayName', 'Its name', { required: true, uniqueness: 'server' }),
    attribute('members', 'complex', 'The people in it; a group has no groups in it', {
      multiValued: true,
      mostValues: mostMembersOfRequest,
      subAttributes: [
        string('value', 'The id of the member', { caseExact: true, mutability: 'immutable' }),
        attribute('$ref', 'reference', 'Their address', {
          caseExact: true,
          mutability: 'immutable',
          referenceTypes: ['User'],
        }),
        string('type', 'What the member is', { mutability: 'immutable', canonicalValues: ['User'] }),
      ],
    }),
  ],
}

export const groupSchema: ResourceSchema = { core: group, extensions: [], endpoint: '/Groups' }
