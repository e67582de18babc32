const MM_PER_INCH = 25.4;
const marginInches = 15 / MM_PER_INCH;

/** A4 with margins of 15 mm, for the print command; the document's @page rules win. */
export const A4_PAGE = {
  paperWidth: 210 / MM_PER_INCH,
  paperHeight: 297 / MM_PER_INCH,
  marginTop: marginInches,
  marginBottom: marginInches,
  marginLeft: marginInches,
  marginRight: marginInches,
} as const;
