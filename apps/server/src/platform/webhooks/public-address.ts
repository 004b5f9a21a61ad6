import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** All IPv6 addresses of the internet are in it, and IPv4 addresses in none of their IPv6 forms. */
const internet = ipaddr.IPv6.parseCIDR('2000::/3')
/** Azure's service for its own machines has a public address. */
const AZURE_SERVICE = '168.63.129.16'

/** Whether an IP address is one of a host on the internet, not of this machine or a private network. */
export function isPublicAddress(address: string): boolean {
  // A zone (`%eth0`) belongs to a local address.
  if (isIP(address) === 0 || address.includes('%') || address === AZURE_SERVICE) return false
  const ip = ipaddr.parse(address)
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(internet))
}
