/** A name for this device, as far as the browser tells. */
export const deviceName = () =>
  navigator.userAgentData?.platform || /iPhone|iPad|Android|Windows|Mac|Linux/.exec(navigator.userAgent)?.[0] || null;
