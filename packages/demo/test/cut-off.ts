/** A process that creates an order and is killed before it can note that it did: run by crash.test.ts. */
import { testClient } from '@grantor/api/testing'
import { ordersApi } from '../src/orders-api.ts'
import { OrdersTable } from '../src/orders-table.ts'
import { request, place } from './crash-request.ts'

const table = new OrdersTable(process.argv[2] ?? '')
const keys = { ...table.keys, complete: () => process.kill(process.pid, 'SIGKILL') }
await testClient(ordersApi({ ...place, table, keys: keys as never }))(request)
