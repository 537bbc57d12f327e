/** What runs inside the cluster's processes where HBase and Hadoop have no main class that would do. */
@NullMarked
package dev.trestle.sandbox.node;

import org.jspecify.annotations.NullMarked;
