export type RenditionSize = 96 | 208 | 1280;

export const renditionLimits: Map<RenditionSize, number>;
export const neededSizes: (photo: Blob) => RenditionSize[];
export function makeRenditions(photo: Blob, sizes?: RenditionSize[]): Promise<Map<RenditionSize, Blob>>;
