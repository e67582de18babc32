// Ways in which scanned pages are degraded. Each maps a sharp picture to another; `random` makes them repeatable.
import sharp from 'sharp';

const PAPER = { r: 244, g: 241, b: 234 };

export const degradations = {
  clean: (page) => page,
  blur: (page) => page.blur(1.5),
  noise: (page, random) => onPixels(page, (value) => value + (random() + random() + random() - 1.5) * 52),
  skew: (page) => page.rotate(3.2, { background: '#fff' }),
  'turned 90°': (page) => page.rotate(90),
  'turned 180°': (page) => page.rotate(180),
  'turned 270°, skewed': async (page) => await settled(page.rotate(271.5, { background: '#fff' })),
  'low resolution': (page) => page.resize({ width: 744 }),
  jpeg: async (page) => sharp(await page.jpeg({ quality: 18 }).toBuffer()),
  shadow: (page) => onPixels(page, (value, x, y) => value * (0.42 + 0.58 * smooth((x + 0.6 * y - 0.55) * 3))),
  photo: async (page, random) => {
    const warped = await perspective(page, [0.07, 0.05, 0.93, 0.02, 0.985, 0.96, 0.02, 0.93]);
    const lit = await onPixels(
      warped,
      (value, x, y) =>
        value * (0.66 + 0.34 * Math.cos((x - 0.35) * 1.4) * Math.cos((y - 0.4) * 1.3)) +
        (random() - 0.5) * 22,
    );
    return sharp(await lit.blur(0.8).jpeg({ quality: 62 }).toBuffer());
  },
  'photo, turned 180°': async (page, random) => (await degradations.photo(page, random)).rotate(180),
  faint: (page) => onPixels(page, (value) => 236 - (255 - value) * 0.33),
  dark: (page) => page.negate({ alpha: false }),
};

/** Degrades a page in the named way; returns a PNG, or a JPEG if that is the damage. */
export async function degradedPage(svg, name, random) {
  const drawn = sharp(Buffer.from(svg)).flatten({ background: '#fff' });
  const spoilt = await degradations[name](await settled(drawn), random);
  return spoilt.png({ compressionLevel: 3 }).toBuffer();
}

async function settled(picture) {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}

async function onPixels(picture, change) {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  for (let index = 0, pixel = 0; index < data.length; index += channels, pixel += 1) {
    const x = (pixel % width) / width;
    const y = Math.floor(pixel / width) / height;
    const before = data[index];
    const difference = change(before, x, y) - before;
    for (let channel = 0; channel < channels; channel += 1) {
      data[index + channel] = Math.min(255, Math.max(0, data[index + channel] + difference));
    }
  }
  return sharp(data, { raw: { width, height, channels } });
}

/** Puts the page's corners (top left, top right, bottom right, bottom left, as fractions) on a non-white table. */
async function perspective(picture, corners) {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const back = squareFrom(corners);
  const output = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [u, v] = back((x + 0.5) / width, (y + 0.5) / height);
      const target = (y * width + x) * 3;
      if (u < 0 || v < 0 || u >= 1 || v >= 1) {
        output[target] = 92;
        output[target + 1] = 74;
        output[target + 2] = 60;
        continue;
      }
      sample({ data, width, height }, u * (width - 1), v * (height - 1), output, target);
    }
  }
  return sharp(output, { raw: { width, height, channels: 3 } });
}

function sample({ data, width, height }, x, y, output, target) {
  const left = Math.min(width - 2, Math.floor(x));
  const top = Math.min(height - 2, Math.floor(y));
  const fx = x - left;
  const fy = y - top;
  const paper = [PAPER.r, PAPER.g, PAPER.b];
  for (let channel = 0; channel < 3; channel += 1) {
    const at = (top * width + left) * 3 + channel;
    const above = data[at] * (1 - fx) + data[at + 3] * fx;
    const below = data[at + width * 3] * (1 - fx) + data[at + width * 3 + 3] * fx;
    output[target + channel] = ((above * (1 - fy) + below * fy) * paper[channel]) / 255;
  }
}

/** The inverse map from a quadrilateral to the unit square. */
function squareFrom([x0, y0, x1, y1, x2, y2, x3, y3]) {
  const dx1 = x1 - x2;
  const dx2 = x3 - x2;
  const sx = x0 - x1 + x2 - x3;
  const dy1 = y1 - y2;
  const dy2 = y3 - y2;
  const sy = y0 - y1 + y2 - y3;
  const determinant = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / determinant;
  const h = (dx1 * sy - sx * dy1) / determinant;
  const [a, b, c] = [x1 - x0 + g * x1, x3 - x0 + h * x3, x0];
  const [d, e, f] = [y1 - y0 + g * y1, y3 - y0 + h * y3, y0];
  return (x, y) => {
    const p = (e - f * h) * x + (c * h - b) * y + (b * f - c * e);
    const q = (f * g - d) * x + (a - c * g) * y + (c * d - a * f);
    const w = (d * h - e * g) * x + (b * g - a * h) * y + (a * e - b * d);
    return [p / w, q / w];
  };
}

const smooth = (value) => {
  const t = Math.min(1, Math.max(0, value));
  return t * t * (3 - 2 * t);
};
