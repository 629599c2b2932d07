/** The list of pages. Adding one means one folder below pages, one file of words, and one row here. */
import { clients, wizard } from '../messages/clients.ts'
import { home } from '../messages/home.ts'
import { access, apiKeys, audit, people } from '../messages/people.ts'
import type { PageRow } from './page-row.ts'

export const pages: readonly PageRow[] = [
  {
    path: '/',
    title: home.title,
    icon: 'home',
    right: null,
    group: 'overview',
    load: () => import('../pages/home/home.tsx'),
  },
  {
    path: '/clients',
    title: clients.title,
    icon: 'client',
    right: 'admin:clients:read',
    group: 'access',
    load: () => import('../pages/clients/list.tsx'),
    actions: [{ title: wizard.title, path: '/new-client', icon: 'plus', right: 'admin:clients:write' }],
  },
  {
    path: '/clients/$id',
    title: clients.one,
    icon: 'client',
    right: 'admin:clients:read',
    group: null,
    load: () => import('../pages/clients/detail.tsx'),
  },
  {
    path: '/new-client',
    title: wizard.title,
    icon: 'plus',
    right: 'admin:clients:write',
    group: null,
    load: () => import('../pages/clients/new.tsx'),
  },
  {
    path: '/api-keys',
    title: apiKeys.title,
    icon: 'key',
    right: 'admin:api-keys:read',
    group: 'access',
    load: () => import('../pages/api-keys/list.tsx'),
  },
  {
    path: '/grants',
    title: access.grants,
    icon: 'grant',
    right: 'admin:grants:read',
    group: 'access',
    load: () => import('../pages/grants/list.tsx'),
  },
  {
    path: '/people',
    title: people.title,
    icon: 'person',
    right: 'admin:users:read',
    group: 'people',
    load: () => import('../pages/people/list.tsx'),
    actions: [{ title: people.create, path: '/new-person', icon: 'plus', right: 'admin:users:write' }],
  },
  {
    path: '/people/$id',
    title: people.one,
    icon: 'person',
    right: 'admin:users:read',
    group: null,
    load: () => import('../pages/people/detail.tsx'),
  },
  {
    path: '/new-person',
    title: people.create,
    icon: 'plus',
    right: 'admin:users:write',
    group: null,
    load: () => import('../pages/people/new.tsx'),
  },
  {
    path: '/sessions',
    title: access.sessions,
    icon: 'session',
    right: 'admin:sessions:read',
    group: 'people',
    load: () => import('../pages/sessions/list.tsx'),
  },
  {
    path: '/audit',
    title: audit.title,
    icon: 'audit',
    right: 'admin:events:read',
    group: 'operate',
    load: () => import('../pages/audit/list.tsx'),
  },
]
