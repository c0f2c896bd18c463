/** Ships one order. The id of the input is the same at every attempt, so that nothing is shipped twice. */
export interface Shipment {
  order: string;
  shipmentId: string;
  workerId: string;
}

export async function ship(shipment: Shipment): Promise<void> {
  const request = { method: 'PUT', body: JSON.stringify(shipment) };
  const reply = await fetch(`${process.env.WAREHOUSE_URL}/shipments/${shipment.shipmentId}`, request);
  if (!reply.ok) throw new Error(`The warehouse says ${reply.status}.`);
  console.log(`shipped order ${shipment.order}`);
}
