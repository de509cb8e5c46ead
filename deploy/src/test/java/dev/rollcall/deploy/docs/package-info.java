/** That the reference pages name all that there is. */
@NullMarked
package dev.rollcall.deploy.docs;

import org.jspecify.annotations.NullMarked;
