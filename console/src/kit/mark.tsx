/** The mark: a chair seen from the side, its foot in amber. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0e5a52" stroke="#f6f4ef" strokeOpacity=".35" />
      <path
        d="M9 8c0 6 1 9 3 11h8c2 0 3 1.500 3 4"
        fill="none"
        stroke="#f6f4ef"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="M11.500 24h7" stroke="#e9b44c" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}
