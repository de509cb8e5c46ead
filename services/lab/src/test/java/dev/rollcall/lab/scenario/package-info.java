/** Tests of the whole, on the cluster of network namespaces that the demo raises too. */
@NullMarked
package dev.rollcall.lab.scenario;

import org.jspecify.annotations.NullMarked;
