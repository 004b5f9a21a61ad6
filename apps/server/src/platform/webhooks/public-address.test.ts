import { describe, expect, it } from 'vitest'
import { isPublicAddress } from '#platform/webhooks/public-address.ts'

describe('An address', () => {
  it.for([
    '8.8.8.8',
    '1.0.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))

  it.for([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['0.0.0.0', 'this machine'],
    ['10.1.2.3', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'shared by a provider (CGNAT)'],
    ['100.100.100.200', "a cloud's service, in the same network"],
    ['169.254.169.254', "a cloud's service, link-local"],
    ['168.63.129.16', "a cloud's service, public"],
    ['192.0.0.192', "a cloud's service"],
    ['198.18.0.1', 'for measurements'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'this machine'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'IPv4-mapped'],
    ['::ffff:7f00:1', 'IPv4-mapped, in hexadecimal'],
    ['::ffff:8.8.8.8', 'IPv4-mapped, never a real IPv6 address'],
    ['::127.0.0.1', 'IPv4-compatible'],
    ['64:ff9b::7f00:1', 'IPv4 behind NAT64'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local, with its zone'],
    ['2606:4700::1111%eth0', 'with a zone'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', "a cloud's service"],
    ['ff02::1', 'multicast'],
    ['2001:0:1::1', 'Teredo'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::1', '6to4'],
    ['localhost', 'no IP address'],
    ['', 'no IP address'],
  ] as const)('%s is not public: %s', ([address]) => expect(isPublicAddress(address)).toBe(false))
})
