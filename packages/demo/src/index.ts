/** The public exports of the demo. */
export { exampleOrder, Order, type OrderBody, OrderV2, type OrderV2Body } from './order.ts'
export { orderV1, orderV2, type OrderVersion } from './order-versions.ts'
export { orders, ordersApi, type OrdersApiParts } from './orders-api.ts'
export { type OrderOwner, OrdersTable, type OrdersView } from './orders-table.ts'
export { startOrders, type RunningOrders, type StartOrdersOptions } from './start-orders.ts'
