import classes from './logo.module.css'

/** A selected cell with its fill handle, and a tick that is a V; in the colour of the surrounding text. */
export const Logo = ({ size }: { size: number }) => (
  <span className={classes.logo} style={{ fontSize: size * 0.76 }}>
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path
        d="M30 20V7a5 5 0 0 0-5-5H7a5 5 0 0 0-5 5v18a5 5 0 0 0 5 5h13"
        stroke="currentColor"
        strokeWidth="2.6"
      />
      <path d="m8.6 10.4 6 11.4 8.6-13.2" stroke="currentColor" strokeWidth="3.4" />
      <rect x="24.4" y="24.4" width="7" height="7" fill="currentColor" />
    </svg>
    <span>Veridict</span>
  </span>
)
