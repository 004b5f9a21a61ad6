/** Groups of 16 bits of an IPv6 address that name one customer of a provider, who has many networks. */
const CUSTOMER_GROUPS = 3

/** The invented addresses behind one proxy (`caller-address.ts`), or a customer's networks, count as one. */
export function addressOwner(address: string): string {
  const [first = ''] = address.split(' ')
  return first.includes(':') ? first.split(':').slice(0, CUSTOMER_GROUPS).join(':') : first
}
