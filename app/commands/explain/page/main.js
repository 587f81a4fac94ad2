document.querySelector("[data-fill=splats]").textContent = data.splats.length;
document.getElementById("facts").textContent = `Pixel ${data.pixel.join(", ")} of ${data.view}, drawn on ${data.device}.`;
for (const show of [showPicture, showLists, showRadix, showBitonic, showBlend, showBackward, showMethods, showDraw]) show();
