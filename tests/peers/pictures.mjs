// Chromium without a GPU, and pictures of it.

export const launchOptions = (executablePath) => ({
    executablePath,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});

/// The picture that `take` takes, once two with a pause between them are the same.
export async function stillPicture(page, take = (page) => page.screenshot(), pause = 300) {
    for (let last = null, i = 0; i < 60; ++i) {
        const picture = await take(page);
        if (last && picture.equals(last)) return picture;
        last = picture;
        await page.waitForTimeout(pause);
    }
    throw new Error('the picture does not come to rest');
}

/// A function of two PNG files, which decodes them in an empty page: mean difference over all pixels and channels, PSNR in dB,
/// and what is covered in each.
export const comparison = (blank) => (a, b) =>
    blank.evaluate(
        async ([a, b]) => {
            const pixels = async (base64) => {
                const image = new Image();
                image.src = `data:image/png;base64,${base64}`;
                await image.decode();
                const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
                canvas.drawImage(image, 0, 0);
                return canvas.getImageData(0, 0, image.width, image.height).data;
            };
            const [p, q] = [await pixels(a), await pixels(b)];
            if (p.length !== q.length) throw new Error('pictures of different sizes');
            let difference = 0;
            let squares = 0;
            const covered = [0, 0];
            for (let i = 0; i < p.length; i += 4) {
                for (let c = 0; c < 3; ++c) {
                    difference += Math.abs(p[i + c] - q[i + c]) / 255;
                    squares += (p[i + c] - q[i + c]) ** 2;
                }
                [p, q].forEach((picture, k) => (covered[k] += picture[i] + picture[i + 1] + picture[i + 2] > 24 ? 1 : 0));
            }
            const count = p.length / 4;
            const psnr = 10 * Math.log10((255 * 255 * 3 * count) / Math.max(squares, 1));
            return { difference: difference / (3 * count), psnr, covered: covered.map((pixels) => pixels / count) };
        },
        [a.toString('base64'), b.toString('base64')],
    );
