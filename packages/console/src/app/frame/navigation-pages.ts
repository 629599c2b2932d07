/** The table of pages as the frame sees it: given from above, since the pages themselves stand inside of the frame. */
import { createContext } from 'react'
import type { PageRow } from '../page-row.ts'

export const NavigationPages = createContext<readonly PageRow[]>([])
