/** Groups of 16 bits of an IPv6 address that name one customer of a provider, who has many networks. */
const CUSTOMER_GROUPS = 3

/**
 * Who stands for an address (`caller-address.ts`) where callers share something: invented addresses
 * behind one proxy together count as one, as do the networks of one customer.
 */
export function addressOwner(address: string): string {
  const [first = ''] = address.split(' ')
  return first.includes(':') ? first.split(':').slice(0, CUSTOMER_GROUPS).join(':') : first
}
