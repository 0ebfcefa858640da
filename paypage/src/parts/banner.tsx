interface Props {
  /** Address of the picture, empty for none. */
  picture: string
  /** Where it leads to, empty for nowhere. */
  url: string
  /** Its look; the server lets only harmless properties through. */
  style: Record<string, string>
}

/** The merchant's picture; where it leads is shown below it, so that nobody leaves the page unawares. */
export function Banner({ picture, url, style }: Props) {
  if (!picture) return null
  return (
    <>
      <div class="banner">
        <img src={picture} alt="" width={720} height={350} style={style} />
      </div>
      {url ? <OutsideLink url={url} /> : <div class="banner-space" />}
    </>
  )
}

/** A link to somebody else's page, by the name of its host. */
export function OutsideLink({ url }: { url: string }) {
  return (
    <a class="outside-link" href={url} target="_blank" rel="noopener noreferrer nofollow">
      {new URL(url).host} <span aria-hidden="true">↗</span>
    </a>
  )
}
