/**
 * What black-box tests share: server processes, clusters, clients and raw connections. Package-private, because those tests are in
 * the same package of other modules.
 */
@NullMarked
package dev.trestle.conformance;

import org.jspecify.annotations.NullMarked;
