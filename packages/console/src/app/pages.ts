/** The list of pages. Adding one means one folder below pages, one file of words, and one row here. */
import { clients } from '../messages/clients.ts'
import { home } from '../messages/home.ts'
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
  },
]
