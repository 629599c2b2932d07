/** The published face of the demo. */
export { exampleOrder, Order, type OrderBody } from './order.ts'
export { orders, ordersApi, type OrdersApiParts } from './orders-api.ts'
export { OrdersTable } from './orders-table.ts'
export { startOrders, type RunningOrders, type StartOrdersOptions } from './start-orders.ts'
