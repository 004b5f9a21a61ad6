/** For servers of tests, of localhost; made by openssl, and trusted by nobody. It ends on `certificateEnd`. */
export const localhostCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUcf+GNRvEdQOCntEu+G3cvJYiu4EwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNjE0MTkxN1oYDzIxMjYxMTAy
MTQxOTE3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASZX2qs4ZQAbMO4tYWdk7KLLbtgAMPDLyxzf9byzup2iqak8cII+1eG
5MkilIFHNTW0q36Y0vUivVCTHzaowPl/o2kwZzAdBgNVHQ4EFgQUBpkpGJdnvzQE
MiFZeLNism4UoEMwHwYDVR0jBBgwFoAUBpkpGJdnvzQEMiFZeLNism4UoEMwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgTPBhsVancO0QUKwdHBG61K0LGDQMwWd6sXvF7cGVvVoCIDnll1AoEZR4
Aw/t3oe/uNgz0bQ0pNSC+JWNEw1vdCec
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRFZ1wluq+DesyyeF
pP78vKMZCDyjfpOKLdmXSobh5dyhRANCAASZX2qs4ZQAbMO4tYWdk7KLLbtgAMPD
Lyxzf9byzup2iqak8cII+1eG5MkilIFHNTW0q36Y0vUivVCTHzaowPl/
-----END PRIVATE KEY-----`,
}
export const certificateEnd = new Date('2126-11-02T14:19:17.000Z')
