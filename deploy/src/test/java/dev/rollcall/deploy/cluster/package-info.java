/** Tests of the whole, on the cluster of network namespaces that the demo raises too. */
@NullMarked
package dev.rollcall.deploy.cluster;

import org.jspecify.annotations.NullMarked;
