/** The schemas that are served: User and its enterprise extension (RFC 7643 §4.1, §4.3). */
import { attribute, type AttributeSet, type ResourceSchema, string, values } from './attribute.ts'

export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User'
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
