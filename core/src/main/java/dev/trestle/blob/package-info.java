/** What the Blob service means: blobs, the blocks they are made of, and what is said of them. Knows neither HTTP nor XML. */
@NullMarked
package dev.trestle.blob;

import org.jspecify.annotations.NullMarked;
