/** Main classes of cluster processes for which HBase and Hadoop have none that fits. */
@NullMarked
package dev.trestle.sandbox.node;

import org.jspecify.annotations.NullMarked;
