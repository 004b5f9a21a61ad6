import { BlockList, isIP } from 'node:net'

/** Addresses that are not public, or not of a single host (IANA's registries of special addresses). */
const specialV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Among them 169.254.169.254, where clouds give credentials to their machines.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Azure's service for its own machines has a public address.
  ['168.63.129.16', 32],
] as const

/** Inside of `globalUnicast`: protocols (Teredo too), documentation, 6to4, which leads to IPv4 addresses. */
const specialV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const special = new BlockList()
for (const [network, bits] of specialV4) special.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of specialV6) special.addSubnet(network, bits, 'ipv6')

/**
 * All IPv6 addresses of the internet are in it; loopback, link-local, unique local and multicast addresses
 * are not, nor IPv4 addresses in any of their IPv6 forms.
 */
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address is one of a host on the internet, not of this machine or a private network. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4')
    case 6:
      // A zone (`%eth0`) belongs to a local address.
      return !address.includes('%') && globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
    default:
      return false
  }
}
